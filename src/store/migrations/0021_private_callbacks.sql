-- Private ranges that the webhooks of one app may reach, each as ALLOW_PRIVATE_CALLBACKS writes it.
alter table apps add column private_callbacks text[] not null default '{}';
