-- Whether the server that gave a lease is still the one that answers, and still remembers it.
-- Writes, because WAIT and WAITAOF cover no more than what their own connection has written.
local meta, id, owner, expected, given_identity = KEYS[2], unpack(ARGV, 1, 4)

local identity = given_identity
if identity == '' then
  identity = identify(tonumber(redis.call('TIME')[1]))
end
if not is_same(expected, identity) then return { 'moved', identity } end
local kept = redis.call('HGET', meta, id)
local record = kept and parse_lease(kept)
if not record or record.owner ~= owner then return { 'forgotten', kept or '' } end
redis.call('HSET', meta, '#confirmed', '1')
return { 'remembered', identity }
