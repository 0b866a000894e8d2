-- All that is kept of machine ids: the time, how many texts are of fields, fields, records.
local hash, meta = KEYS[1], KEYS[2]
local fields, records = redis.call('HGETALL', hash), redis.call('HGETALL', meta)
local answer = { 'machines', text(now_ms(redis.call('TIME'))), text(#fields) }
for _, word in ipairs(fields) do answer[#answer + 1] = word end
for _, word in ipairs(records) do answer[#answer + 1] = word end
return answer
