//! The scripts count in pairs of doubles: exact wherever a double is not.

use std::time::Duration;

use fred::types::Value;
use mintid_core::range::MAX_ID;

use super::servers::{Server, run};
use crate::redis::reply::text;

const SUMS: &str = "
local out = {}
for i = 1, #ARGV, 2 do
  local ah, al = split(ARGV[i])
  local bh, bl = split(ARGV[i + 1])
  out[#out + 1] = join(sum(ah, al, bh, bl))
  out[#out + 1] = is_less(ah, al, bh, bl) and '1' or '0'
  out[#out + 1] = is_counter(ARGV[i]) and '1' or '0'
end
return out";

#[test]
fn sums_and_comparisons_are_exact_up_to_the_last_id() {
    let Some(server) = Server::of("REDIS7") else {
        return;
    };
    run(async {
        let edges = [
            0,
            1,
            9,
            999_999_998,
            999_999_999,
            1_000_000_000,
            1_000_000_001,
            (1 << 53) - 1,
            1 << 53,
            (1 << 53) + 1,
            1_000_000_000_000_000,
            MAX_ID - 101,
            MAX_ID - 1,
            MAX_ID,
            MAX_ID + 1,
        ];
        let pairs: Vec<(u64, u64)> = edges
            .iter()
            .flat_map(|a| edges.iter().map(|b| (*a, *b)))
            .collect();
        let source = format!("{}{SUMS}", include_str!("../lua/common.lua"));
        let mut words: Vec<Value> = vec![source.into(), 0.into()];
        words.extend(
            pairs
                .iter()
                .flat_map(|(a, b)| [a.to_string().into(), b.to_string().into()]),
        );
        let connection = server.connection().await;
        let answer = connection.call("EVAL", words, Duration::from_secs(5)).await;
        let Value::Array(parts) = answer.expect("an answer") else {
            panic!("a list was due");
        };
        let parts: Vec<String> = parts.iter().map(|part| text(part).expect("text")).collect();
        for ((a, b), answers) in pairs.iter().zip(parts.chunks(3)) {
            let flag = |holds: bool| if holds { "1" } else { "0" };
            let due = [
                (u128::from(*a) + u128::from(*b)).to_string(),
                flag(a < b).to_owned(),
                flag(*a <= MAX_ID).to_owned(),
            ];
            assert_eq!(answers, due, "{a} and {b}");
        }
    });
}

#[test]
fn a_script_writes_once_or_not_at_all() {
    for (name, source, writes) in [
        ("probe", include_str!("../lua/probe.lua"), 0),
        // Each is followed by the end of the script.
        ("reserve", include_str!("../lua/reserve.lua"), 2),
        ("floor", include_str!("../lua/floor.lua"), 1),
        ("proved", include_str!("../lua/proved.lua"), 1),
        ("seal", include_str!("../lua/seal.lua"), 1),
        ("confirm", include_str!("../lua/confirm.lua"), 1),
    ] {
        let calls = |what: &str| source.matches(&format!("redis.call({what}")).count();
        let reads = ["'HMGET'", "'HGET'", "'HEXISTS'", "'TIME'"].map(calls);
        let reads: usize = reads.iter().sum();
        assert_eq!(calls("") - reads, writes, "{name}");
        let ends: Vec<_> = source
            .split("redis.call('HSET")
            .skip(1)
            .map(|rest| rest.lines().skip(1).find(|line| line.contains("return {")))
            .collect();
        assert_eq!(
            ends.iter().flatten().count(),
            writes,
            "{name} goes on after a write"
        );
    }
}
