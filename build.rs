//! Tells the linker what a Node.js addon needs.

fn main() {
    napi_build::setup();
}
