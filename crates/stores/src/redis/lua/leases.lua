-- What every script of leases begins with, after what every script does. A script here may write
-- more than once, and the record always comes first: cut anywhere, it leaves a machine id that is
-- held until its deadline by somebody who was never told.

-- Not above what a double holds exactly, and no longer than what other stores read.
local function is_time(text)
  return text ~= nil and string.len(text) <= 15 and string.find(text, '^%d+$') ~= nil
end

-- deadline | ceiling | owner
local function parse_lease(text)
  local deadline, ceiling, owner = string.match(text, '^(%d+)|(%d+)|(.*)$')
  if not (is_time(deadline) and is_time(ceiling)) then return nil end
  return { deadline = tonumber(deadline), ceiling = tonumber(ceiling), owner = owner }
end

local function lease(deadline, ceiling, owner)
  return string.format('%.0f|%.0f|%s', deadline, ceiling, owner)
end

local function text(number)
  return string.format('%.0f', number)
end

local function now_ms(time)
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The last millisecond of the last tick that is over by then.
local function ceiling_at(ms, unit, epoch)
  local ticks = math.max(math.floor((ms + 1 - epoch) / unit), 0)
  return math.max(epoch + ticks * unit - 1, 0)
end

-- One ttl ahead of the holder's clock, and never further ahead of the server's than a clock that
-- may be used could have come.
local function new_ceiling(now, own_now, ttl, skew, unit, epoch)
  return ceiling_at(math.min(own_now + ttl, now + ttl + skew), unit, epoch)
end

-- The seconds that a field has left: below 0 for one that stays, nothing from a server that has no
-- fields which end. Found by asking, because versions tell nothing.
local function seconds_left(hash, name, expires)
  if expires == '0' then return nil end
  local left = redis.pcall('HTTL', hash, 'FIELDS', 1, name)
  if type(left) ~= 'table' or left.err then return nil end
  return tonumber(left[1])
end

-- Lets a field end with the lease, rounded up: the deadline decides, and this tidies up.
local function expire(hash, name, ttl, expires)
  if expires == '0' then return end
  redis.pcall('HEXPIRE', hash, math.ceil(ttl / 1000), 'FIELDS', 1, name)
end

-- The mark: identity | how long a replaced server may go on | whether something was written that
-- nobody has proved.
local function parse_mark(text)
  local identity, window, unproved = string.match(text or '', '^([^|]*)|(%d+)|([01])$')
  return identity, tonumber(window or 0), unproved == '1'
end

local function mark(identity, window, is_unproved)
  return string.format('%s|%.0f|%s', identity, window, is_unproved and '1' or '0')
end
