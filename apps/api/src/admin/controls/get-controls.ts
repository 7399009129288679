import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { ControlsDto } from './controls.dto.js';
import { ControlSettings } from './controls.js';

export class GetControls extends Query<ControlsDto> {}

/** The limits for admins, and who changed them last. */
@QueryHandler(GetControls)
export class GetControlsHandler implements IQueryHandler<GetControls> {
  constructor(
    private readonly controls: ControlSettings,
    private readonly directory: MemberDirectory,
  ) {}

  /** @throws AppError 503 */
  async execute(): Promise<ControlsDto> {
    const { controls, admins } = await this.controls.standing();
    const { threshold, dailyCap, last } = controls;
    const by = last && (await this.directory.get(last.adminId));
    return {
      threshold: threshold === null ? null : toNova(threshold),
      dailyCap: dailyCap === null ? null : toNova(dailyCap),
      admins,
      changedBy: last ? { id: last.adminId, displayName: by?.displayName ?? DELETED_MEMBER } : null,
      changedAt: last ? new Date(last.at).toISOString() : null,
    };
  }
}
