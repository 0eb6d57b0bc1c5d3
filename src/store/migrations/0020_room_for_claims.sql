-- Whole pages of deliveries are taken at a time, so each row needs room for a second form of itself on its page: at 70 only
-- four of ten found it, and the others wrote two indexes. Of a delivery's share of PostgreSQL that was a quarter.
alter table deliveries set (fillfactor = 45);
