import type { Server } from 'node:http'
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'

/** Nest waits for open connections, and Node keeps one open for 5 s after its last answer. */
@Injectable()
export class ConnectionsService implements BeforeApplicationShutdown {
  constructor(private readonly host: HttpAdapterHost) {}

  beforeApplicationShutdown(): void {
    const server: Server = this.host.httpAdapter.getHttpServer()
    server.keepAliveTimeout = 1
  }
}
