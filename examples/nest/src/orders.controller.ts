import { Body, Controller, Get, NotFoundException, Param, Post } from '@nestjs/common'
import type { Id } from 'mintid'
import { ParseIdPipe } from 'mintid/nest'
import { type Order, OrdersService } from './orders.service.js'

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  create(@Body('item') item: string): Promise<Order> {
    return this.orders.create(item)
  }

  @Get(':id')
  read(@Param('id', new ParseIdPipe('orders')) id: Id<'orders'>): Order {
    const order = this.orders.find(id)
    if (order === undefined) throw new NotFoundException('no such order')
    return order
  }
}
