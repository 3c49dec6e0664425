/**
 * Runs benchmark files in this process, for `npm run bench`: BENCH_RUNS has their names and databases. Sends the rows
 * of each, and then its name.
 */
const runs = JSON.parse(process.env['BENCH_RUNS'] ?? '[]') as readonly (readonly [name: string, databaseUrl: string])[];

for (const [name, databaseUrl] of runs) {
  process.env['BENCH_DATABASE_URL'] = databaseUrl;
  await import(new URL(`./${name}.bench.ts`, import.meta.url).href);
  process.send?.({ ended: name });
}
