-- What a script begins with that is to break off, as on a server that dies in the middle of it.
local left = WRITES
local is_write = { HSET = true, HDEL = true, HEXPIRE = true }
local server = redis
local function counted(call)
  return function(...)
    if is_write[(...)] then
      if left == 0 then error('cut') end
      left = left - 1
    end
    return call(...)
  end
end
local redis = { call = counted(server.call), pcall = counted(server.pcall) }
