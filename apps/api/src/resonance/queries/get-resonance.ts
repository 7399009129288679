import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { type ResonanceDto, toResonanceDto } from '../resonance.dto.js';
import { ResonanceStore } from '../resonance-store.js';

export class GetResonance extends Query<ResonanceDto> {
  constructor(readonly userId: string) {
    super();
  }
}

/** `GET /api/resonance` (rule resonance-5). */
@QueryHandler(GetResonance)
export class GetResonanceHandler implements IQueryHandler<GetResonance> {
  constructor(private readonly profiles: ResonanceStore) {}

  /** @throws AppError 404 `NO_RESONANCE` before the first save */
  async execute({ userId }: GetResonance): Promise<ResonanceDto> {
    const profile = await this.profiles.of(userId);
    if (!profile) throw new AppError(404, 'NO_RESONANCE', 'You have no Resonance profile yet.');
    return toResonanceDto(profile);
  }
}
