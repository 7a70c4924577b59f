use hextb::{geometry::*, index::*, solve::*};
use std::sync::Arc;
#[test]
fn three() {
    let v = Arc::new(Variant::glinski());
    let mut t = MemoryTables::new(v.clone());
    for m in std::env::var("MATS").unwrap_or("KK KQK KRK KBK KNK KPK".into()).split(' ') {
        let m = Material::parse(&v, m).unwrap();
        let s = std::time::Instant::now();
        t.solve(&m);
        let e = s.elapsed();
        let d = t.table(&m).unwrap();
        println!("{} {:?} slices {} len {}", m.name(&v), e, d.layout().slices().len(), d.layout().len());
        for c in Color::BOTH {
            let y = d.tally(c);
            println!("   {} {:?} {:?}", y.legal(), y.counts, y.longest);
        }
    }
}
