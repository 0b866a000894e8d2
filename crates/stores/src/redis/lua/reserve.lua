-- Grants the next range of a key: reads all, judges, and writes it by one HSET.
local hash, key, size, lowest, max, floor, raise_to, may_create = KEYS[1], unpack(ARGV, 1, 7)
local store_id, fresh_id, kind, jump, chance, given_identity, can_prove = unpack(ARGV, 8, 14)

local WINDOW_MS, JUMP_BY_RATE = 10000, 4

local found = redis.call('HMGET', hash,
  key, '#sealed:' .. key, '#run:' .. key, '#gen:' .. key, '#store', '#last')
local counter, sealed, mark, record, known_id, last = unpack(found, 1, 6)

if sealed then return { 'sealed' } end
if counter and not is_counter(counter) then return { 'no counter', counter } end

-- Which store is this? A wiped one takes its id back from whoever remembers the key.
if store_id ~= '' then
  if known_id and known_id ~= store_id then return { 'replaced', known_id } end
  if not known_id and floor == '' then return { 'lost' } end
end
-- The record: kind | the largest jump that anybody sent, so that a small caller disarms nobody.
local new_record = kind .. '|' .. jump
if record and record ~= new_record then
  local recorded_kind, recorded_jump = string.match(record, '^([^|]*)|?(%d*)$')
  if recorded_kind ~= kind then return { 'mismatch', record } end
  if (tonumber(recorded_jump) or 0) > tonumber(jump) then jump, new_record = recorded_jump, record end
end
if floor == '' then
  if not record and may_create == '0' then return { 'missing' } end
  -- Record and counter are written together: where only one is left, the other was deleted.
  if record and not counter then return { 'deleted' } end
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local identity, role = given_identity, 'master'
if identity == '' then
  identity, role = identify(tonumber(time[1]))
  if role ~= 'master' then return { 'no master', role } end
  if identity == '' then return { 'blind' } end
end

-- The mark: identity | begin of the window | counter at its begin | peak of ids per second | up to
-- where the counter leapt without a proof that the leap outlives the server.
local marked, window, window_counter, peak, unproved =
  string.match(mark or '', '^([^|]*)|(%d+)|(%d+)|(%d+)|(%d*)$')
window, peak = tonumber(window or now), tonumber(peak or 0)
local base_high, base_low = split(window_counter or counter or lowest)

local flags = ''
local high, low = split(counter or '0')

local jumped_from, jumped_to, raised_to = '', '', ''

if counter and identity ~= '-' and not (marked and is_same(marked, identity)) then
  -- Another life of the server: what it had acknowledged last may be lost. Nothing tells how much
  -- that was but the pace of the key, and the time since the last grant of any key that is left.
  local since = math.max(now - tonumber(last or now), 0) / 1000
  local pace = math.max(tonumber(last or now) - window, 1000) / 1000
  local granted = (high - base_high) * BASE + (low - base_low)
  peak = math.max(peak, math.ceil(granted / pace))
  local least = math.max(tonumber(jump), JUMP_BY_RATE * peak * since)
  -- Between one jump and two: two leaps from one lost state are not to meet.
  local leap = math.floor(least * (1 + tonumber(chance)))
  jumped_from = join(high, low)
  high, low = sum(high, low, math.floor(leap / BASE), math.fmod(leap, BASE))
  jumped_to = join(high, low)
  flags = flags .. 'J'
end
if floor ~= '' then
  local floor_high, floor_low = split(floor)
  if not counter or is_less(high, low, floor_high, floor_low) then
    if raise_to == '' then return { 'went back', counter or '' } end
    local to_high, to_low = split(raise_to)
    if is_less(high, low, to_high, to_low) then high, low = to_high, to_low end
    raised_to = join(high, low)
    flags = flags .. 'R'
  end
elseif not counter then
  flags = flags .. 'C'
end

local lowest_high, lowest_low = split(lowest)
if is_less(high, low, lowest_high, lowest_low) then high, low = lowest_high, lowest_low end

local size_high, size_low = split(size)
local end_high, end_low = sum(high, low, size_high, size_low)
local max_high, max_low = split(max)
if is_less(max_high, max_low, end_high, end_low) then
  return { 'exhausted', counter or join(high, low) }
end
local granted_to = join(end_high, end_low)

if flags ~= '' then unproved = can_prove == '1' and granted_to or '' end
if flags ~= '' or now < window then
  window, base_high, base_low = now, end_high, end_low
elseif now - window >= WINDOW_MS then
  local granted = (end_high - base_high) * BASE + (end_low - base_low)
  peak = math.max(peak, math.ceil(granted * 1000 / (now - window)))
  window, base_high, base_low = now, end_high, end_low
end
-- A reading that is one second off is not written back: two such steps would be a new identity.
if marked and flags == '' then identity = marked end

local new_last = string.format('%.0f', now)
-- The usual case: nothing to tell, and nothing to write but the counter and the time.
if flags == '' and window ~= now and unproved == '' and known_id and record == new_record then
  redis.call('HSET', hash, key, granted_to, '#last', new_last)
  return { 'granted', granted_to, identity, known_id }
end

if unproved and unproved ~= '' then flags = flags .. 'U' end
local new_mark = string.format(
  '%s|%.0f|%s|%.0f|%s', identity, window, join(base_high, base_low), peak, unproved or '')
local new_id = known_id or (store_id ~= '' and store_id) or fresh_id
redis.call('HSET', hash, key, granted_to, '#last', new_last,
  '#run:' .. key, new_mark, '#gen:' .. key, new_record, '#store', new_id)
return {
  'granted', granted_to, identity, new_id, flags, counter or '', jumped_from, jumped_to, raised_to,
  known_id and '0' or '1',
}
