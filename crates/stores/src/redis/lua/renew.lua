-- Renews a lease. Never takes a machine id from anybody, and never gives one that is not known.
local hash, meta = KEYS[1], KEYS[2]
local id, owner, is_durable, expires, given_identity = unpack(ARGV, 1, 5)
local ttl, skew, own_now, unit, epoch
do
  local numbers = {}
  for at = 6, 10 do numbers[#numbers + 1] = tonumber(ARGV[at]) end
  ttl, skew, own_now, unit, epoch = unpack(numbers)
end

local value = redis.call('HGET', hash, id)
local found = redis.call('HMGET', meta, id, '#layout', '#fresh', '#run')
local kept, known_terms, fresh_text, marked = unpack(found, 1, 4)

local time = redis.call('TIME')
local now = now_ms(time)
local identity, role = given_identity, 'master'
if identity == '' then
  identity, role = identify(tonumber(time[1]))
  if role ~= 'master' then return { 'no master', role } end
  if identity == '' then return { 'blind' } end
end

local record = kept and parse_lease(kept)
if kept and not record then return { 'unreadable', kept } end
if value and value ~= owner then return { 'taken', value } end
-- Taken down as somebody else's while the record was gone, and still there.
local is_ours = record and (record.owner == owner or (value == owner and record.owner == '?' .. owner))
if record and not is_ours then return { 'taken', record.owner } end
if not record and not value then return { 'wiped', text(now) } end

local ceiling = new_ceiling(now, own_now, ttl, skew, unit, epoch)
if record then ceiling = math.max(ceiling, record.ceiling) end
local writes = { id, lease(now + ttl, ceiling, owner) }

-- Whoever renews first on another server notes it, so that newcomers need not wait from when they
-- come. A table that is gone is left for them to find.
local known_identity, window, is_unproved = parse_mark(marked)
if known_terms and is_time(fresh_text or nil) and known_identity then
  local is_same_server = identity == '-' or is_same(known_identity, identity)
  if is_same_server then identity = known_identity end
  if not is_same_server and (is_unproved or is_durable == '0') then
    local fresh = math.max(tonumber(fresh_text), now + ttl + skew + window)
    writes[#writes + 1], writes[#writes + 2] = '#fresh', text(fresh)
  end
  local new_mark = mark(identity, window, (is_same_server and is_unproved) or is_durable == '0')
  if new_mark ~= marked then writes[#writes + 1], writes[#writes + 2] = '#run', new_mark end
end
redis.call('HSET', meta, unpack(writes))
-- Setting a field that is there would take its end away.
if not value then redis.call('HSET', hash, id, owner) end
expire(hash, id, ttl, expires)
return { 'held', text(ceiling), text(now), identity }
