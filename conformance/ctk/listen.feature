Feature: Events that a workflow listens to

  Scenario: One event
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: listen-one, version: '1.0.0' }
      do:
        - order:
            listen:
              to:
                one:
                  with: { type: order.placed }
      """
    When the workflow is executed
    And the event is published:
      """yaml
      specversion: '1.0'
      id: e-1
      source: https://shop.example
      type: order.placed
      data: { number: 7 }
      """
    Then the workflow should complete with output:
      """yaml
      - number: 7
      """
    And order should complete

  Scenario: One of each, in whatever order they come
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: listen-all, version: '1.0.0' }
      do:
        - both:
            fork:
              branches:
                - hear:
                    listen:
                      to:
                        all:
                          - with: { type: goods.packed }
                          - with: { type: money.paid }
                - tell:
                    do:
                      - pay:
                          emit: { event: { with: { type: money.paid, data: 20 } } }
                      - pack:
                          emit: { event: { with: { type: goods.packed, data: box } } }
                      - nothing:
                          set: { told: true }
            output:
              as: .[0]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [20, box]
      """
    And pay should run before pack

  Scenario: Any event, until enough has come
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: listen-until, version: '1.0.0' }
      do:
        - both:
            fork:
              branches:
                - hear:
                    listen:
                      to:
                        any:
                          - with: { type: step.taken }
                        until: (map(.steps) | add) > 4
                    foreach:
                      item: walk
                      do:
                        - count:
                            set: { steps: '${ $walk.steps }', at: '${ $index }' }
                      output: { as: . }
                - walk:
                    for: { each: steps, in: '[2, 3]' }
                    do:
                      - step:
                          emit: { event: { with: { type: step.taken, data: { steps: '${ $steps }' } } } }
            output:
              as: .[0]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      - { steps: 2, at: 0 }
      - { steps: 3, at: 1 }
      """

  Scenario: An event for somebody else
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: listen-correlate, version: '1.0.0' }
      do:
        - both:
            fork:
              branches:
                - mine:
                    listen:
                      to:
                        one:
                          with: { type: answer.given }
                          correlate:
                            customer: { from: .data.customer, expect: '${ .customer }' }
                - theirs:
                    for: { each: customer, in: '["bob", "ann"]' }
                    do:
                      - answer:
                          emit:
                            event:
                              with: { type: answer.given, data: { customer: '${ $customer }' } }
            output:
              as: .[0]
      """
    And given the workflow input is:
      """yaml
      customer: ann
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      - customer: ann
      """

  Scenario: Nobody says anything in time
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: listen-timeout, version: '1.0.0' }
      do:
        - patience:
            try:
              - hear:
                  listen: { to: { one: { with: { type: never.said } } } }
                  timeout: { after: { milliseconds: 5 } }
            catch:
              errors: { with: { status: 408 } }
              do:
                - giveUp:
                    set: { type: '${ $error.type }', at: '${ $error.instance }' }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      at: /do/0/patience/try/0/hear
      """
    And hear should fault with error:
      """yaml
      type: https://open-workflow-specification.org/spec/1.0.0/errors/timeout
      status: 408
      """
