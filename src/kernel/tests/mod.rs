mod elementwise;
mod functions;
mod layouts;
mod oracle;
mod program;
mod reductions;
mod smoke;
mod streams;
