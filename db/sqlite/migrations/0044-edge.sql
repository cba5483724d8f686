-- The Path of a softphone's REGISTER (RFC 3327), as header text: the way back through the proxy in front of the engines.
alter table sip_bindings add column path text;
