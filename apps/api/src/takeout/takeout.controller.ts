import { Controller, Get, HttpCode, Post, StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiAcceptedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { NeedsFreshProof, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { notFound } from '../platform/errors/app-error.js';
import { IdParam } from '../platform/id-param.js';
import { ApiBinaryFile } from '../platform/openapi/api-file.js';
import { FileStore } from '../platform/uploads/files/file-store.js';
import { OrderTakeout } from './commands/order-takeout.js';
import { takeoutKey } from './takeout-rounds.js';
import { LastTakeoutDto, TakeoutDto, TakeoutFileDto } from './takeout.dto.js';
import { Takeouts } from './takeouts.js';

const WHAT = 'This takeout';
const GONE = { description: 'It does not exist, is not ready, is over, or is not yours.' };

/** Everything of a member as a file (rules accounts-25, accounts-26). */
@ApiTags('Account')
@NeedsSession()
@Controller('api/takeout')
export class TakeoutController {
  constructor(
    private readonly commands: CommandBus,
    private readonly takeouts: Takeouts,
    private readonly files: FileStore,
  ) {}

  @ApiOperation({ summary: 'How far the last takeout is' })
  @ApiOkResponse({ type: LastTakeoutDto })
  @Get()
  async last(@CurrentUser() { id }: SignedInMember): Promise<LastTakeoutDto> {
    return { takeout: await this.takeouts.last(id) };
  }

  @ApiOperation({ summary: 'Order a file with everything of oneself; it is made in the background' })
  @ApiAcceptedResponse({ type: TakeoutDto, description: 'The one that is ordered, or the one that is under way.' })
  @ApiTooManyRequestsResponse({ description: 'Too many in 24 hours.' })
  @NeedsFreshProof()
  @HttpCode(202)
  @Post()
  order(@CurrentUser() member: SignedInMember): Promise<TakeoutDto> {
    return this.commands.execute(new OrderTakeout(member));
  }

  @ApiOperation({ summary: 'Where the file is, once it is ready' })
  @ApiOkResponse({ type: TakeoutFileDto })
  @ApiNotFoundResponse(GONE)
  @NeedsFreshProof()
  @Get(':id')
  async file(@CurrentUser() member: SignedInMember, @IdParam('id', WHAT) id: string): Promise<TakeoutFileDto> {
    if ((await this.takeouts.ready(member.id, id)) === undefined) throw notFound(WHAT);
    return { url: `/api/takeout/${id}/file` };
  }

  @ApiOperation({ summary: 'The file: a ZIP of JSON, pictures and videos' })
  @ApiBinaryFile('application/zip')
  @ApiNotFoundResponse(GONE)
  @NeedsFreshProof()
  @Get(':id/file')
  async download(@CurrentUser() member: SignedInMember, @IdParam('id', WHAT) id: string): Promise<StreamableFile> {
    const length = await this.takeouts.ready(member.id, id);
    const content = length === undefined ? undefined : await this.files.read(takeoutKey(id), undefined);
    if (!content) throw notFound(WHAT);
    const disposition = 'attachment; filename="nova-everything-of-mine.zip"';
    return new StreamableFile(content, {
      type: 'application/zip',
      disposition,
      ...(length !== undefined && { length }),
    });
  }
}
