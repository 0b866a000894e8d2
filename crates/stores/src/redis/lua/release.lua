-- Gives a machine id back, if it is the owner's to give.
local hash, meta, id, owner, last = KEYS[1], KEYS[2], unpack(ARGV, 1, 3)

local value = redis.call('HGET', hash, id)
local kept = redis.call('HGET', meta, id)
local record = kept and parse_lease(kept)
if kept and not record then return { 'unreadable', kept } end
if not record or record.owner ~= owner or (value and value ~= owner) then return { 'kept' } end
redis.call('HSET', meta, id, lease(0, tonumber(last), ''))
if value then redis.call('HDEL', hash, id) end
return { 'released' }
