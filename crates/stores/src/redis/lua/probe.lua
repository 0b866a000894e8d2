-- What a script can see of the server: its identity, its role, its time.
local time = redis.call('TIME')
local identity, role = identify(tonumber(time[1]))
return { identity, role, time[1], time[2] }
