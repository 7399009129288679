import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

const COMPRESSIBLE = /\.(?:html|js|css|svg)$/;

/** Compressed twins beside the files, once and for all: the server only sends them. */
const compress = (): Plugin => ({
  name: 'compressed-twins',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const files = await readdir(dir, { recursive: true });
    const twins = files
      .filter((file) => COMPRESSIBLE.test(file))
      .map(async (name) => {
        const file = path.join(dir, name);
        const bytes = await readFile(file);
        await Promise.all([
          promisify(gzip)(bytes, { level: 9 }).then((twin) => writeFile(`${file}.gz`, twin)),
          promisify(brotliCompress)(bytes).then((twin) => writeFile(`${file}.br`, twin)),
        ]);
      });
    await Promise.all(twins);
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compress()],
  resolve: { tsconfigPaths: true },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': api,
      '/objects': api,
      '/sandbox': api,
      '/.well-known': api,
      // Three paths of /oauth are pages of the client.
      '^/oauth/(?!consent|demo)': api,
      '/ws': { target: api, ws: true },
    },
  },
  build: {
    outDir: '../../dist/apps/web',
    emptyOutDir: true,
    // For the server, which names a page's parts in the page.
    manifest: true,
    // Nothing becomes a data: address, so that the content security policy can stay at 'self'.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Importing from the UI kit's index, or the domain's, loads what is used of it, not all of it.
      treeshake: {
        moduleSideEffects: [{ test: /[\\/](?:shared|features|libs[\\/]domain)[\\/].*\.tsx?$/, sideEffects: false }],
      },
      output: {
        // Few, larger parts: each request costs a kilobyte of headers. `test/e2e/first-load.spec.ts` holds them to their budgets.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // The libraries of every screen change less often than ours: browsers keep them across releases.
            {
              name: 'vendor',
              priority: 4,
              test: /rolldown.runtime|node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack[\\/](query-core|react-query))[\\/]/,
            },
            // What every visitor loads: the landing screen and the router.
            { name: 'front', priority: 3, tags: ['$initial'] },
            // What the sign-in shares with members' pages. In any other group, visitors would load members' parts with it.
            {
              name: 'forms',
              priority: 2,
              test: /node_modules[\\/](react-hook-form|@hookform|zod[\\/]v4[\\/](core|mini))[\\/]|domain[\\/]src[\\/]identity[\\/]|features[\\/](identity[\\/](auth-schemas|field-errors)|passkeys[\\/]ceremonies)\.ts$/,
            },
            {
              name: 'fields',
              priority: 2,
              test: /shared[\\/]ui[\\/](field|inputs)\.tsx$|domain[\\/]src[\\/](chats[\\/]characters|profiles[\\/]names)\.ts$/,
              includeDependenciesRecursively: true,
            },
            // Three small files of every page behind the sign-in.
            {
              name: 'frame',
              priority: 2,
              test: /src[\\/](shared[\\/]sounds|features[\\/]video[\\/]calls|oauth[\\/]carried-parameters)\.ts$/,
            },
            // What at least three pages behind the sign-in share. Only a part of them needs zod's larger interface.
            { name: 'members', priority: 1, test: /^(?!.*[\\/]zod[\\/])/, minShareCount: 3 },
            // What two of them share, of the areas that members see first.
            {
              name: 'shared',
              test: /node_modules[\\/](lucide-react|@radix-ui)[\\/]|src[\\/](shared[\\/](ui|hooks)|features[\\/](shell|main|discovery|wallet|oauth|chats[\\/]payouts))[\\/]|domain[\\/]src[\\/]ledger[\\/]/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
