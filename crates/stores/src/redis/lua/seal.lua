-- Seals a key; one that does not exist leaves a tombstone.
local hash, key, given_identity = KEYS[1], unpack(ARGV, 1, 2)

local identity, role = given_identity, 'master'
if identity == '' then
  identity, role = identify(tonumber(redis.call('TIME')[1]))
  if role ~= 'master' then return { 'no master', role } end
  if identity == '' then return { 'blind' } end
end
local is_new = redis.call('HSETNX', hash, '#sealed:' .. key, '1')
return { is_new == 1 and 'sealed' or 'kept', '', identity }
