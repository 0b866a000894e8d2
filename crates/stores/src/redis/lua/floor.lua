-- Raises a counter to at least a value.
local hash, key, value, given_identity = KEYS[1], unpack(ARGV, 1, 3)

local found = redis.call('HMGET', hash, key, '#sealed:' .. key, '#run:' .. key)
local counter, sealed, mark = unpack(found, 1, 3)
if sealed then return { 'sealed' } end
if counter and not is_counter(counter) then return { 'no counter', counter } end

local time = redis.call('TIME')
local identity, role = given_identity, 'master'
if identity == '' then
  identity, role = identify(tonumber(time[1]))
  if role ~= 'master' then return { 'no master', role } end
  if identity == '' then return { 'blind' } end
end
if counter then
  local high, low = split(counter)
  local value_high, value_low = split(value)
  if not is_less(high, low, value_high, value_low) then return { 'kept', counter, identity } end
end
local writes = { key, value }
-- A counter without a mark would jump at its first use. One whose mark is of another life of the
-- server is still to jump.
if not mark then
  writes[3] = '#run:' .. key
  writes[4] = string.format('%s|%s000|%s|0|%s', identity, time[1], value, value)
end
redis.call('HSET', hash, unpack(writes))
return { 'raised', value, identity }
