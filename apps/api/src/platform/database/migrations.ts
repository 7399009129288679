import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A statement of a step, in its transaction; answers the rows. */
export type Query = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;

/** One step forward of a part's tables. Steps are never changed once released, only added at the end. */
export interface SqlMigration {
  readonly name: string;
  readonly sql: string;
  /**
   * For a step that takes something away: the first release that does without it. It must be out already, because servers of the
   * release before go on beside this one.
   */
  readonly unusedSince?: string;
  /** What SQL alone cannot do, after it. */
  readonly code?: (query: Query) => Promise<void>;
}

/** A part with tables of its own. Its place in time keeps parts apart: TypeORM orders by the number at a name's end. */
export interface MigrationArea {
  readonly area: string;
  /** Unique among the areas, 1 to 999. */
  readonly order: number;
  readonly migrations: readonly SqlMigration[];
}

/** A step that does not get a table by then fails, so that those who came after it do not wait behind it for as long. */
const LOCK_MS_MAX = 1_000;

type MigrationClass = new () => MigrationInterface;

/** What a database remembers a step by. TypeORM reads order from the last 13 digits. */
export const migrationName = (
  { area, order }: Pick<MigrationArea, 'area' | 'order'>,
  name: string,
  index: number,
): string => `${area}_${name.replace(/\W+/g, '_')}_${1_000_000_000_000 + order * 1_000_000 + index}`;

/** TypeORM takes classes. */
export const migrationClasses = (areas: readonly MigrationArea[]): MigrationClass[] =>
  areas.flatMap(({ area, order, migrations }) =>
    migrations.map(({ name: step, sql, code }, index) => {
      const name = migrationName({ area, order }, step, index);
      return class implements MigrationInterface {
        readonly name = name;
        async up(runner: QueryRunner): Promise<void> {
          await runner.query(`set local lock_timeout = ${LOCK_MS_MAX}; ${sql}`);
          await code?.((statement, values) => runner.query(statement, values));
        }
        async down(): Promise<void> {
          throw new Error('Migrations run forward only: restore a backup instead.');
        }
      };
    }),
  );
