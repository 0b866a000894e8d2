-- Claims a machine id: the first one from a start on that is free or past its deadline.
local hash, meta = KEYS[1], KEYS[2]
local owner, terms, may_create, first_start, is_durable, expires, given_identity = unpack(ARGV, 1, 7)
local lowest, highest, start, ttl, skew, window, own_now, unit, epoch
do
  local numbers = {}
  for at = 8, 16 do numbers[#numbers + 1] = tonumber(ARGV[at]) end
  lowest, highest, start, ttl, skew, window, own_now, unit, epoch = unpack(numbers)
end

-- How many machine ids one look brings, and how many fields of others one claim takes down.
local AT_ONCE, MOST_GRACES = 64, 250

local found = redis.call('HMGET', meta, '#layout', '#fresh', '#run')
local known_terms, fresh_text, marked = unpack(found, 1, 3)
if known_terms and known_terms ~= terms then return { 'mismatch', known_terms } end
if not known_terms and may_create == '0' then return { 'missing' } end

local time = redis.call('TIME')
local now = now_ms(time)
local identity, role = given_identity, 'master'
if identity == '' then
  identity, role = identify(tonumber(time[1]))
  if role ~= 'master' then return { 'no master', role } end
  if identity == '' then return { 'blind' } end
end
if math.abs(now - own_now) > skew then return { 'clock', text(now) } end

-- Up to where the table may have forgotten what was used.
local limit = now + ttl + skew
local fresh = is_time(fresh_text or nil) and tonumber(fresh_text) or 0
local known_identity, known_window, is_unproved = parse_mark(marked)
local is_same_server = identity == '-' or (known_identity ~= nil and is_same(known_identity, identity))
local is_doubtful
if not known_terms then
  is_doubtful = first_start == '0'
elseif not is_time(fresh_text or nil) then
  is_doubtful = true
else
  is_doubtful = not is_same_server and (is_unproved or is_durable == '0' or known_identity == nil)
end
if is_doubtful then fresh = math.max(fresh, limit + window) end

-- A free id; or else the one that this owner has claimed already without being told.
local taken, former_record, own, own_record
local holder, ahead, unreadable, foreign = '', 0, 0, 0
local writes, graces = {}, 0

local function grace(id, record)
  if graces >= MOST_GRACES then return end
  graces = graces + 1
  writes[#writes + 1], writes[#writes + 2] = id, record
end

-- A field that is not of our making: of a client that keeps no records, alive as long as the field
-- is going to end. One that is not may be between two commands of its client, or left over: it is
-- taken down, and free if it is still the same one ttl later.
local function is_left_over(id, value, record)
  local ceiling = record and record.ceiling or 0
  local is_down = record and record.owner == '?' .. value
  local left = seconds_left(hash, id, expires)
  if left and left >= 0 then
    if is_down then grace(id, lease(0, ceiling, '')) end
    return false
  end
  if is_down then return record.deadline <= now end
  grace(id, lease(now + ttl, ceiling, '?' .. value))
  return false
end

local function look(id, value, kept)
  local record = kept and parse_lease(kept)
  if kept and not record then
    unreadable = unreadable + 1
  elseif value and not (record and record.owner == value) then
    if is_left_over(id, value, record) then return record end
    foreign = foreign + 1
  elseif not record then
    return {}
  elseif record.owner == owner then
    if not own then own, own_record = id, record end
  elseif record.owner ~= '' and record.deadline > now then
    holder = record.owner
  elseif record.ceiling > math.max(limit, fresh) then
    -- Written by a clock in the future: whoever took it would wait for that.
    ahead = ahead + 1
  else
    return record
  end
end

local count = highest - lowest + 1
for begin = 0, count - 1, AT_ONCE do
  local ids = {}
  for at = begin, math.min(begin + AT_ONCE, count) - 1 do
    ids[#ids + 1] = text(lowest + (start - lowest + at) % count)
  end
  local values = redis.call('HMGET', hash, unpack(ids))
  local records = redis.call('HMGET', meta, unpack(ids))
  for at, id in ipairs(ids) do
    former_record = look(id, values[at], records[at])
    if former_record then
      taken = id
      break
    end
  end
  if taken then break end
end
if not taken and own then taken, former_record = own, own_record end
if not taken then
  if graces > 0 then redis.call('HSET', meta, unpack(writes)) end
  return { 'full', holder, text(ahead), text(unreadable), text(foreign) }
end

local former = former_record.ceiling or 0
-- Without the table's bound: a ceiling beyond what a clock can have written would make others skip
-- the machine id.
local ceiling = math.max(new_ceiling(now, own_now, ttl, skew, unit, epoch), former)

-- A reading that is one second off is not written back: two such steps would be a new identity.
if is_same_server and known_identity then identity = known_identity end
local was_unproved = is_same_server and is_unproved
for _, word in ipairs({
  taken, lease(now + ttl, ceiling, owner),
  '#layout', terms,
  '#fresh', text(fresh),
  '#run', mark(identity, math.max(window, known_window), was_unproved or is_durable == '0'),
}) do writes[#writes + 1] = word end
redis.call('HSET', meta, unpack(writes))
redis.call('HSET', hash, taken, owner)
expire(hash, taken, ttl, expires)
local waits = fresh > former and fresh > now
return {
  'claimed', taken, text(math.max(former, fresh)), text(ceiling), text(now), waits and '1' or '0',
  identity,
}
