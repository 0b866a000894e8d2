use crate::redis::server::ServerInfo;

const REDIS: &str = "# Server\r\nredis_version:7.0.15\r\nrun_id:0123456789abcdef0123456789abcdef01234567\r\n\
                     process_id:7\r\nuptime_in_seconds:100\r\ntcp_port:6379\r\n# Replication\r\nrole:master\r\n\
                     connected_slaves:2\r\nmaster_replid:fedcba9876543210fedcba9876543210fedcba98\r\n\
                     # Persistence\r\naof_enabled:1\r\nmaxmemory_policy:noeviction\r\n";

const KVROCKS: &str = "# Server\r\nversion:2.12.1\r\nprocess_id:1\r\nuptime_in_seconds:100\r\n\
                       tcp_port:6666\r\n# Replication\r\nrole:master\r\n";

fn identity(text: &str) -> Option<String> {
    ServerInfo::parse(text).identity(1_000)
}

#[test]
fn a_server_is_known_by_its_run_and_its_history() {
    assert_eq!(
        identity(REDIS).as_deref(),
        Some("0123456789abcdef:fedcba9876543210")
    );
    let promoted = REDIS.replace("master_replid:f", "master_replid:0");
    assert_ne!(identity(&promoted), identity(REDIS));
}

#[test]
fn a_server_without_a_run_id_is_known_by_its_process_and_when_it_started() {
    assert_eq!(identity(KVROCKS).as_deref(), Some("k1:6666:900"));
}

#[test]
fn what_tells_nothing_is_no_identity() {
    let constant = REDIS.replace("0123456789abcdef0123456789abcdef01234567", &"0".repeat(40));
    assert_eq!(identity(&constant), None);
    assert_eq!(identity(""), None);
    assert_eq!(
        identity(&KVROCKS.replace("process_id:1", "process_id:")),
        None
    );
}

#[test]
fn what_matters_is_read_from_the_text() {
    let info = ServerInfo::parse(REDIS);
    assert_eq!(info.product(), "Redis 7.0.15");
    assert_eq!(ServerInfo::parse(KVROCKS).product(), "Kvrocks 2.12.1");
    assert_eq!(info.role(), "master");
    assert_eq!(info.replicas(), 2);
    assert!(info.has_aof());
    assert_eq!(info.evicts_anything(), None);
    let evicting = REDIS.replace("noeviction", "allkeys-lru");
    assert_eq!(
        ServerInfo::parse(&evicting).evicts_anything(),
        Some("allkeys-lru")
    );
    let volatile = REDIS.replace("noeviction", "volatile-ttl");
    assert_eq!(ServerInfo::parse(&volatile).evicts_anything(), None);
}

#[test]
fn a_server_that_merges_writes_is_told_apart() {
    assert!(!ServerInfo::parse(REDIS).is_active_active);
    let merging = format!("{REDIS}# Modules\r\nmodule:name=crdt,ver=1\r\n");
    assert!(ServerInfo::parse(&merging).is_active_active);
    let active = REDIS.replace("role:master", "role:active-replica");
    assert!(ServerInfo::parse(&active).is_active_active);
}
