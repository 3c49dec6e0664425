import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** Sends a handler's null as the JSON text `null`. Fastify would send an empty body, which is not JSON. */
@Injectable()
export class JsonNullInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((value: unknown) => {
        const reply = context.switchToHttp().getResponse<FastifyReply>();
        if (value !== null || reply.sent) return value;
        void reply.header('Content-Type', 'application/json; charset=utf-8');
        return 'null';
      }),
    );
  }
}
