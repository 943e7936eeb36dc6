mod elementwise;
mod layouts;
mod oracle;
mod smoke;
