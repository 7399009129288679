import {
  applyDecorators,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type WsExceptionFilter,
} from '@nestjs/common';
import { WebSocketGateway } from '@nestjs/websockets';
import { Transform } from 'class-transformer';
import { Matches } from 'class-validator';
import { catchError, from, map, type Observable } from 'rxjs';
import { chatNotFound } from '../chats/chat-rejections.js';
import { AppError } from '../platform/errors/app-error.js';
import { asAppError } from '../platform/errors/error-body.js';
import { Frame } from '../platform/errors/validation.js';
import { ReadModelTrouble } from '../platform/journal/read-model-trouble.js';
import { excessOf } from '../platform/shape.js';
import { UUID } from '../platform/uuid.js';
import type { Refusal } from './frame-decoder.js';
import { FRAME_SHAPE, REALTIME_PATH } from './limits.js';
import type { LiveSocket, Payload } from './live-socket.js';

/** The content of a Socket.IO acknowledgement. */
export type Acknowledgement = Payload & { readonly ok: boolean };
export type Acknowledge = (answer: Acknowledgement) => void;

/** The sender of a frame, its raw fields, and how to acknowledge it if the client asks for that. */
type FrameArguments = [socket: LiveSocket, payload: unknown, acknowledge: Acknowledge | undefined];

export const REFUSALS: Readonly<Record<Refusal, AppError>> = {
  malformed: new AppError(400, 'MALFORMED_FRAME', 'This frame is not a JSON object with a type.'),
  'too-large': new AppError(413, 'FRAME_TOO_LARGE', 'This frame is larger than 64 kB.'),
  'too-complex': new AppError(400, 'FRAME_TOO_COMPLEX', 'This frame has more parts than any frame needs.'),
};

/**
 * Refuses frames that are no objects or have more parts than any frame needs. A guard, because guards run before frames
 * are validated.
 */
@Injectable()
class FrameShapeGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const payload: unknown = context.switchToWs().getData();
    if (!isPayload(payload)) throw REFUSALS.malformed;
    if (excessOf(payload, FRAME_SHAPE)) throw REFUSALS['too-complex'];
    return true;
  }
}

/**
 * Turns a handler's result, which may be nothing, into the acknowledgement. Also turns errors into answers, because
 * Nest does not wait for filters.
 */
@Injectable()
class AcknowledgeInterceptor implements NestInterceptor<Payload | undefined, Acknowledgement> {
  constructor(private readonly readModels: ReadModelTrouble) {}

  intercept(_context: ExecutionContext, next: CallHandler<Payload | undefined>): Observable<Acknowledgement> {
    return next.handle().pipe(
      map((answer) => ({ ok: true, ...answer })),
      catchError((error: unknown) => from(this.readModels.explain(asAppError(error)))),
      map((answer) => {
        if (answer instanceof AppError) throw answer;
        return answer;
      }),
    );
  }
}

/** Answers every error; the socket stays open. */
@Catch()
class FrameErrorFilter implements WsExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    refuseFrame(host.getArgs<FrameArguments>(), error);
  }
}

/** A gateway of the live connection: handlers of one area's frames, of either protocol. */
export const LiveGateway = (): ClassDecorator =>
  applyDecorators(
    WebSocketGateway({ path: REALTIME_PATH }),
    UseGuards(FrameShapeGuard),
    UseInterceptors(AcknowledgeInterceptor),
    UseFilters(FrameErrorFilter),
  );

const lowerCase = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** A chat's id, in lower case for comparison. Text that is no id names no chat. */
export const ChatId = (): PropertyDecorator =>
  applyDecorators(
    Transform(lowerCase),
    Matches(UUID, { message: chatNotFound().message, context: { code: 'CHAT_NOT_FOUND' } }),
  );

/** Another id of ours, in lower case. */
export const FrameId = (): PropertyDecorator =>
  applyDecorators(
    Transform(lowerCase),
    Matches(UUID, { message: 'The frame needs a $property.', context: { code: 'INVALID_FRAME' } }),
  );

/** A frame about a chat. */
@Frame()
export class ChatFrame {
  @ChatId()
  chatId: string;
}

/** Tells a client which of its frames was refused and why. */
export function refuseFrame([socket, payload, acknowledge]: FrameArguments, error: unknown): void {
  const { code, message } = asAppError(error);
  const { chatId, clientMessageId } = isPayload(payload) ? payload : {};
  socket.emit('error', { message, code, ...short({ chatId, clientMessageId }) });
  acknowledge?.({ ok: false, message, code });
}

/** How much of a text that a client chose is repeated to it. */
export const ECHO_MAX = 64;

const short = (fields: Payload): Payload =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === 'string' && value.length <= ECHO_MAX),
  );

const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
