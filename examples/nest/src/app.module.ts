import { Module } from '@nestjs/common'
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core'
import { TerminusModule } from '@nestjs/terminus'
import { IdsAsTextInterceptor, MintIdExceptionFilter, MintIdModule } from 'mintid/nest'
import { MintIdHealthIndicator } from 'mintid/nest/terminus'
import { ConnectionsService } from './connections.service.js'
import { HealthController } from './health.controller.js'
import { config } from './ids.js'
import { JournalService } from './journal.service.js'
import { OrdersController } from './orders.controller.js'
import { OrdersService } from './orders.service.js'

@Module({
  imports: [MintIdModule.forRoot({ config }), TerminusModule],
  controllers: [OrdersController, HealthController],
  providers: [
    OrdersService,
    JournalService,
    ConnectionsService,
    MintIdHealthIndicator,
    { provide: APP_INTERCEPTOR, useClass: IdsAsTextInterceptor },
    { provide: APP_FILTER, useClass: MintIdExceptionFilter },
  ],
})
export class AppModule {}
