-- Whether the server that granted a range is still the one that answers, and still remembers it.
-- Writes, because WAIT and WAITAOF cover no more than what their own connection has written.
local hash, key, granted_to, expected, given_identity = KEYS[1], unpack(ARGV, 1, 4)

local identity = given_identity
if identity == '' then
  identity = identify(tonumber(redis.call('TIME')[1]))
end
if not is_same(expected, identity) then return { 'moved', identity } end
if granted_to ~= '' then
  local counter = redis.call('HGET', hash, key)
  if not counter or not is_counter(counter) then return { 'forgotten', counter or '' } end
  local high, low = split(counter)
  local end_high, end_low = split(granted_to)
  if is_less(high, low, end_high, end_low) then return { 'forgotten', counter } end
end
redis.call('HSET', hash, '#confirmed', '1')
return { 'remembered', identity }
