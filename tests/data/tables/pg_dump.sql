--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
COPY public.edges (source, target) FROM stdin;
1	2
2	3
\.
