import './spellings.ts';
import './vectors.ts';
import './names.ts';
import './public.ts';
import './deliveries.ts';
