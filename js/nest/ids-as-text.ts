// Ids on their way out: JSON has no bigint, so that a response which holds one would be a failure.

import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common'
import { map, type Observable } from 'rxjs'
import { idsAsText } from './as-text.js'

@Injectable()
export class IdsAsTextInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    // There a schema says what becomes of a bigint.
    if (context.getType<string>() === 'graphql') return next.handle()
    return next.handle().pipe(map(idsAsText))
  }
}
