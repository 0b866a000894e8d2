-- Frees a machine id by force. Its ceiling stays.
local hash, meta, id = KEYS[1], KEYS[2], ARGV[1]

local value = redis.call('HGET', hash, id)
local kept = redis.call('HGET', meta, id)
local record = kept and parse_lease(kept)
if kept and not record then return { 'unreadable', kept } end
if not value and (not record or record.owner == '') then return { 'kept' } end
redis.call('HSET', meta, id, lease(0, record and record.ceiling or 0, ''))
if value then redis.call('HDEL', hash, id) end
return { 'released' }
