import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from './data-source.js';

/** The process's only pool: `pg.Pool`. */
export const PG_POOL = Symbol('PG_POOL');
export const InjectPool = (): ParameterDecorator => Inject(PG_POOL);

/** Gives every module the connected `DataSource` and `PG_POOL`. Whoever connected it closes it, after everything else. */
@Module({})
export class DatabaseModule {
  static register(dataSource: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [
        { provide: DataSource, useValue: dataSource },
        { provide: PG_POOL, useFactory: () => poolOf(dataSource) },
      ],
      exports: [DataSource, PG_POOL],
    };
  }
}
