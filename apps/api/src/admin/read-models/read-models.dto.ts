import { ApiProperty } from '@nestjs/swagger';

const STATES = ['live', 'rebuilding', 'failing', 'standby'] as const;
const PHASES = ['reading', 'indexing', 'comparing', 'swapping', 'done', 'differs', 'failed', 'interrupted'] as const;

/** The last rebuild of a read model, by whichever process. */
export class RebuildDto {
  /** `differs`: the live rows are not what the journal gives, and were kept. `interrupted`: its process ended half-way. */
  @ApiProperty({ enum: PHASES })
  phase: (typeof PHASES)[number];
  eventsDone: number;
  eventsTotal: number;
  beganAt: string;
  updatedAt: string;
  /** What became of it; empty while it runs. */
  outcome: string;
}

export class ReadModelDto {
  name: string;
  /** As the process that answers sees it; `standby`: another process feeds it. */
  @ApiProperty({ enum: STATES })
  state: (typeof STATES)[number];
  /** Ledger events that it is behind. */
  lagEvents: number;
  /** Its tables are of another release: what shows it answers 503 until they are rebuilt. */
  isOfOtherVersion: boolean;
  error: string | null;
  lastRebuild: RebuildDto | null;
}

export class ReadModelsDto {
  models: ReadModelDto[];
}

export class RebuildRequestedDto {
  message: string;
}
