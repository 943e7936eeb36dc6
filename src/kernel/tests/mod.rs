mod elementwise;
mod layouts;
mod oracle;
mod reductions;
mod smoke;
