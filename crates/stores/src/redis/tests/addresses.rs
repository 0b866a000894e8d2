use crate::redis::RedisAddress;

fn shown(url: &str) -> String {
    RedisAddress::parse(url).expect(url).to_string()
}

#[test]
fn every_form_of_url_is_read() {
    for (url, due) in [
        ("redis://localhost", "redis://localhost:6379"),
        ("redis://localhost:7000/3", "redis://localhost:7000/3"),
        ("redis://[::1]:7000", "redis://[::1]:7000"),
        ("rediss://a.example", "rediss://a.example:6379"),
        ("valkey://localhost", "valkey://localhost:6379"),
        ("valkeys://localhost", "valkeys://localhost:6379"),
        ("kvrocks://localhost", "kvrocks://localhost:6666"),
        (
            "redis-cluster://a:1?node=b:2&node=[::1]:3",
            "redis-cluster://a:1,b:2,[::1]:3",
        ),
        (
            "redis-sentinel://a?node=b:2&sentinelServiceName=mymaster",
            "redis-sentinel://a:26379,b:2/mymaster",
        ),
        (
            "redis+unix:///run/redis.sock",
            "redis+unix:///run/redis.sock",
        ),
        (
            "redis+unix:///run/redis.sock?db=2",
            "redis+unix:///run/redis.sock/2",
        ),
    ] {
        assert_eq!(shown(url), due, "{url}");
    }
}

#[test]
fn user_and_password_are_decoded_and_the_password_is_never_shown() {
    let address = RedisAddress::parse("redis://app%40x:p%2Fss%23@localhost").expect("a URL");
    assert_eq!(address.username(), Some("app@x"));
    assert_eq!(address.password(), Some("p/ss#"));
    assert_eq!(address.to_string(), "redis://app@x@localhost:6379");
    assert!(!format!("{address:?}").contains("p/ss"));
    let address = RedisAddress::parse("redis://:only@localhost").expect("a URL");
    assert_eq!(
        (address.username(), address.password()),
        (None, Some("only"))
    );
}

#[test]
fn what_means_nothing_is_refused_by_name() {
    for (url, part) in [
        ("redis://localhost/1/2", "no database"),
        ("redis://localhost/-1", "no database"),
        ("redis://localhost/+1", "no database"),
        ("redis://localhost?timeout=1", "parameter timeout"),
        ("redis://localhost#x", "%23"),
        ("redis-cluster://a?node=b:x", "node=b:x"),
        (
            "redis-cluster://a?sentinelServiceName=x",
            "parameter sentinelServiceName",
        ),
        ("redis-sentinel://a", "sentinelServiceName"),
        ("redis+tls://a", "scheme is unknown"),
    ] {
        let reason = RedisAddress::parse(url).expect_err(url);
        assert!(reason.contains(part), "{url}: {reason}");
    }
}
