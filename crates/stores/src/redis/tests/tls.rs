use mintid_core::Code;
use mintid_core::options::{Durability, TlsOptions};

use crate::redis::{RedisAddress, RedisOptions, RedisStore};

const PEM: &str = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

fn refused(tls: TlsOptions, part: &str) {
    let address = RedisAddress::parse("rediss://localhost").expect("a URL");
    let options = RedisOptions {
        key: "kvid".to_owned(),
        durability: Durability::None,
        accept_loss: false,
        needs_identity: true,
        tls: Some(tls),
    };
    let error = RedisStore::new(&address, options).expect_err("these are no certificates");
    assert_eq!(error.code(), Code::ConfigInvalid);
    let text = error.to_string();
    assert!(text.starts_with(&format!("tls = {part}: ")), "{text}");
}

#[test]
fn what_is_no_certificate_is_refused_by_its_name() {
    let none = TlsOptions::default;
    let some = |text: &str| Some(text.to_owned());
    refused(
        TlsOptions {
            ca: some("x"),
            ..none()
        },
        "ca",
    );
    refused(
        TlsOptions {
            ca: some(PEM),
            ..none()
        },
        "ca",
    );
    refused(
        TlsOptions {
            cert: some(PEM),
            ..none()
        },
        "key",
    );
    refused(
        TlsOptions {
            key: some(PEM),
            ..none()
        },
        "cert",
    );
    refused(
        TlsOptions {
            cert: some("x"),
            key: some("x"),
            ..none()
        },
        "cert",
    );
}
