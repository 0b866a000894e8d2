//! TLS, as `tls.connect` of Node takes it: texts in PEM.

use std::sync::Arc;

use fred::rustls::crypto::ring;
use fred::rustls::pki_types::pem::PemObject;
use fred::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use fred::rustls::{ClientConfig, RootCertStore};
use fred::rustls_native_certs::load_native_certs;
use fred::types::config::{TlsConfig, TlsConnector};
use mintid_core::options::TlsOptions;

/// The client's side of a handshake.
///
/// # Errors
/// The name of the part that cannot be used, and why.
pub(super) fn config(options: &TlsOptions) -> Result<TlsConfig, (&'static str, String)> {
    let roots = roots(options).map_err(|reason| ("ca", reason))?;
    // The provider is named: a process may have two, and asking for "the" provider would panic.
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| ("tls", error.to_string()))?
        .with_root_certificates(roots);
    let config = match (&options.cert, &options.key) {
        (Some(cert), Some(key)) => builder
            .with_client_auth_cert(
                certificates(cert).map_err(|reason| ("cert", reason))?,
                PrivateKeyDer::from_pem_slice(key.as_bytes())
                    .map_err(|_| ("key", "it holds no private key in PEM".to_owned()))?,
            )
            .map_err(|error| ("cert", error.to_string()))?,
        (None, None) => builder.with_no_client_auth(),
        (Some(_), None) => return Err(("key", "it is missing beside cert".to_owned())),
        (None, Some(_)) => return Err(("cert", "it is missing beside key".to_owned())),
    };
    Ok(TlsConnector::from(config).into())
}

fn roots(options: &TlsOptions) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    if let Some(ca) = &options.ca {
        for certificate in certificates(ca)? {
            roots.add(certificate).map_err(|error| error.to_string())?;
        }
        return Ok(roots);
    }
    // A certificate of the system that cannot be read is one authority less.
    roots.add_parsable_certificates(load_native_certs().certs);
    Ok(roots)
}

fn certificates(pem: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem.as_bytes())
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    if found.is_empty() {
        return Err("it holds no certificate in PEM".to_owned());
    }
    Ok(found)
}
