//! What a person is shown and may do, and records that nobody can read.

use mintid_core::Code;

use super::suite::{Suite, by_another, release, renewal};
use crate::contract::client::{Verdict, ensure};
use crate::lease_grant::millis;
use crate::lease_store::{Claim, Machine, Renewed};

pub(super) async fn shows_who_holds_what(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        start: 9,
        ..suite.claim("list")
    };
    let none = suite.one.machines(&claim.scope).await?;
    ensure(none.is_empty(), || {
        format!("a scope that nobody used lists {none:?}")
    })?;
    let claimed = suite.one.claim(&claim).await?;
    let lower = Claim {
        start: 2,
        ..by_another(&claim)
    };
    let second = suite.two.claim(&lower).await?;
    suite.two.release(&release(&lower, &second, 77)).await?;
    let machines = suite.two.machines(&claim.scope).await?;
    let due = [
        Machine {
            machine: 2,
            owner: String::new(),
            deadline_ms: 0,
            ceiling_ms: 77,
            is_held: false,
            is_foreign: false,
        },
        Machine {
            machine: 9,
            owner: claim.owner.as_str().to_owned(),
            deadline_ms: claimed.store_now_ms + millis(claim.ttl),
            ceiling_ms: claimed.ceiling_ms,
            is_held: true,
            is_foreign: false,
        },
    ];
    ensure(machines == due, || {
        format!("{due:?} is held and given back, and listed is {machines:?}")
    })
}

pub(super) async fn says_what_is_spoilt(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        machines: (4, 5),
        start: 4,
        ..suite.claim("spoilt")
    };
    let claimed = suite.one.claim(&claim).await?;
    for record in ["nonsense", "-5|0|", "1|99999999999999999|a", "1.5|2|a"] {
        if !suite.spoil(&claim.scope, 4, record).await? {
            return Ok(());
        }
        let scope = &claim.scope;
        for error in [
            suite.one.refuse_list(scope, Code::StoreError).await?,
            suite.one.refuse_freeing(scope, 4, Code::StoreError).await?,
            suite
                .one
                .refuse_renewal(&renewal(&claim, &claimed), Code::StoreError)
                .await?,
        ] {
            let text = error.to_string();
            ensure(text.contains("machine id 4"), || {
                format!("{record:?} is not told where it is: {text}")
            })?;
        }
        let next = by_another(&claim);
        let other = suite.two.claim(&next).await?;
        ensure(other.machine == 5, || {
            format!("what has {record:?} in the place of a record was given away")
        })?;
        suite.two.release(&release(&next, &other, 0)).await?;
    }
    Ok(())
}

pub(super) async fn frees_by_force(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        machines: (6, 6),
        start: 6,
        ..suite.claim("force")
    };
    let claimed = suite.one.claim(&claim).await?;
    let scope = &claim.scope;
    let first = suite.two.free(scope, 6).await?;
    let again = suite.two.free(scope, 6).await?;
    let never = suite.two.free(scope, 5).await?;
    ensure(first && !again && !never, || {
        format!("freeing one twice and another one answered {first}, {again} and {never}")
    })?;
    let renewed = suite.one.renew(&renewal(&claim, &claimed)).await?;
    let due = Renewed::Taken { by: String::new() };
    ensure(renewed == due, || {
        format!("what was freed by force was renewed with {renewed:?}")
    })?;
    let next = suite.two.claim(&by_another(&claim)).await?;
    ensure(next.former_ceiling_ms >= claimed.ceiling_ms, || {
        format!("{claimed:?} was freed by force, and {next:?} begins below its ceiling")
    })
}

pub(super) async fn ends_with_its_client(suite: &Suite<'_>) -> Verdict {
    let client = suite.another().await?;
    let claim = suite.claim("close");
    let claimed = client.claim(&claim).await?;
    client.close().await?;
    let renew = renewal(&claim, &claimed);
    client.refuse_renewal(&renew, Code::Closed).await?;
    suite.one.hold(&renew).await.map(drop)
}
