import { type LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { type LogLevel } from '../config/config.js';
import { currentTraceId } from '../tracing/spans.js';
import { currentRequestId } from './request-context.js';

/** Creates a logger that writes one JSON object per line, with the id of the request. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return { ...(requestId && { requestId }), ...(traceId && { traceId }) };
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Lets Nest and everything that uses Nest's `Logger` write through pino. */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest logs every module and route at start; those lines are debug output.
    const { context, fields } = split(rest);
    const detail = context !== undefined && NEST_STARTUP.has(context);
    this.logger[detail ? 'debug' : 'info']({ ...objectOf(message), ...fields, context }, textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace', message: unknown, rest: unknown[]): void {
    const { context, fields } = split(rest);
    this.logger[level]({ ...objectOf(message), ...fields, context }, textOf(message));
  }
}

const NEST_STARTUP = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Splits Nest's arguments `(message, ...details, context)`. Details are objects, errors or stacks; the last string is
 * the class.
 */
function split(rest: readonly unknown[]): { context: string | undefined; fields: object } {
  const last = rest.at(-1);
  const context = typeof last === 'string' ? last : undefined;
  const details = context === undefined ? rest : rest.slice(0, -1);
  const fields: Record<string, unknown> = {};
  for (const detail of details) {
    if (detail instanceof Error) fields['err'] = describeError(detail);
    else if (typeof detail === 'object' && detail !== null) Object.assign(fields, serializeErrors(detail));
    else if (typeof detail === 'string') fields['stack'] = detail;
  }
  return { context, fields };
}

function serializeErrors(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => [
      key,
      value instanceof Error ? describeError(value) : value,
    ]),
  );
}

function objectOf(message: unknown): object {
  if (message instanceof Error) return { err: describeError(message) };
  return typeof message === 'object' && message !== null ? serializeErrors(message) : {};
}

function textOf(message: unknown): string | undefined {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : undefined;
}

/**
 * Keeps name, code, message and stack, and those of the causes. Other fields of errors must not be logged: `detail` of
 * a database error repeats whole rows with prompts and e-mail addresses, and the error of an SDK contains its request.
 */
function describeError(error: Error): object {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const errors =
    error instanceof AggregateError
      ? { errors: error.errors.map((each: unknown) => (each instanceof Error ? describeError(each) : String(each))) }
      : {};
  return { type, message, stack, ...code, ...errors };
}
