import { buildSite } from '../../infra/dev/build-site.mjs';

await buildSite({ folder: import.meta.dirname, importVite: () => import('vite') });
