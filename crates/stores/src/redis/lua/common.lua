-- What every script begins with. A script writes by one HSET, last, so that it is whole or absent
-- even where a server that crashes keeps a part of what a script wrote.

-- Lua's numbers are doubles, wrong above 2^53. So a counter is a pair: the last fifteen digits, of
-- which two sums are still exact, and what stands before them.
local BASE = 1000000000000000

local function split(text)
  if string.len(text) <= 15 then return 0, tonumber(text) end
  return tonumber(string.sub(text, 1, -16)), tonumber(string.sub(text, -15))
end

local function join(high, low)
  if high == 0 then return string.format('%.0f', low) end
  return string.format('%.0f%015.0f', high, low)
end

local function sum(high, low, more_high, more_low)
  high, low = high + more_high, low + more_low
  if low >= BASE then return high + 1, low - BASE end
  return high, low
end

local function is_less(high, low, than_high, than_low)
  return high < than_high or (high == than_high and low < than_low)
end

local function is_counter(text)
  if text ~= '0' and not string.find(text, '^[1-9]%d*$') then return false end
  if string.len(text) > 19 then return false end
  -- 2^63 − 2 is the last id.
  local high, low = split(text)
  return not is_less(9223, 372036854775806, high, low)
end

-- A field of an INFO text. Found as plain text: a pattern would be tried at every letter.
local function field(text, name)
  local _, at = string.find(text, '\n' .. name .. ':', 1, true)
  return at and string.match(text, '^[%w-]+', at + 1)
end

-- What tells one life of one server from every other: its run and its replication history. A
-- server that names neither is known by its process and the second in which that started.
local function identify(seconds)
  local server, replication = redis.pcall('INFO', 'server'), redis.pcall('INFO', 'replication')
  if type(server) ~= 'string' or type(replication) ~= 'string' then return '', 'unknown' end
  local role = field(replication, 'role') or 'unknown'
  local run, history = field(server, 'run_id'), field(replication, 'master_replid')
  if run and history then
    -- A constant is what a proxy answers, and tells nothing.
    if string.find(run, '^(.)%1*$') then return '', role end
    return string.sub(run, 1, 16) .. ':' .. string.sub(history, 1, 16), role
  end
  local process, port = field(server, 'process_id'), field(server, 'tcp_port')
  local uptime = tonumber(field(server, 'uptime_in_seconds') or '')
  if not (process and port and uptime) then return '', role end
  return string.format('k%s:%s:%.0f', process, port, seconds - uptime), role
end

-- Two readings of the second in which a process started may be one apart.
local function is_same(known, seen)
  if known == seen then return true end
  local process, started = string.match(known, '^(k%d+:%d+):(%d+)$')
  local process_seen, started_seen = string.match(seen, '^(k%d+:%d+):(%d+)$')
  return process ~= nil and process == process_seen
    and math.abs(tonumber(started) - tonumber(started_seen)) <= 1
end
