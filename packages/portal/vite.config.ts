import { defineConfig } from 'vite';

export default defineConfig({
  base: '/portal/',
  build: {
    outDir: 'site',
    emptyOutDir: true,
    target: 'es2022',
    // As a data: address a file would need a permission of the content security policy.
    assetsInlineLimit: 0,
    // A polyfill for browsers that are too old for the rest.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080' } },
});
