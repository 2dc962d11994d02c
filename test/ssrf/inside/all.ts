// First, because it takes seconds: idle connections of the other service, which may reach closed space, would end meanwhile.
import './deliveries.ts';
import './spellings.ts';
import './vectors.ts';
import './names.ts';
import './public.ts';
