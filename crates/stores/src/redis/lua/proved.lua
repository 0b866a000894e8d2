-- Notes that what was granted up to a value outlives the server. A later leap stays to be proved.
local hash, key, granted_to, identity = KEYS[1], unpack(ARGV, 1, 3)

local mark = redis.call('HGET', hash, '#run:' .. key)
local kept, unproved = string.match(mark or '', '^(.*|)(%d+)$')
if not kept or not is_same(string.match(kept, '^[^|]*'), identity) then return { 'kept' } end
local high, low = split(granted_to)
local unproved_high, unproved_low = split(unproved)
if is_less(high, low, unproved_high, unproved_low) then return { 'kept' } end
redis.call('HSET', hash, '#run:' .. key, kept)
return { 'noted' }
