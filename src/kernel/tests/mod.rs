mod elementwise;
mod layouts;
mod oracle;
mod program;
mod reductions;
mod smoke;
mod streams;
