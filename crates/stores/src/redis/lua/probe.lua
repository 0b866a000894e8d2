-- What a script can see of the server: its identity, its role, its time.
-- Fails where the key is no hash.
redis.call('HGET', KEYS[1], '#store')
local time = redis.call('TIME')
local identity, role = identify(tonumber(time[1]))
return { identity, role, time[1], time[2] }
