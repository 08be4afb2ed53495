Feature: Tasks that are made of tasks

  Scenario: What branches bring is in the order in which they are written
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: fork, version: '1.0.0' }
      do:
        - all:
            fork:
              branches:
                - slow:
                    do:
                      - nap:
                          wait: { milliseconds: 2 }
                      - late:
                          set: { who: slow, of: '${ .of }' }
                - quick:
                    set: { who: quick, of: '${ .of }' }
      """
    And given the workflow input is:
      """yaml
      of: two
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      - { who: slow, of: two }
      - { who: quick, of: two }
      """
    And all should run first
    And late should run last

  Scenario: The first branch to complete cancels the others
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: race, version: '1.0.0' }
      do:
        - race:
            fork:
              compete: true
              branches:
                - tortoise:
                    wait: { days: 1 }
                - hare:
                    set: { won: hare }
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'won' property with value:
      """yaml
      hare
      """
    And tortoise should cancel
    And hare should complete

  Scenario: A loop that is left
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: loop, version: '1.0.0' }
      do:
        - begin:
            set: { seen: [] }
        - loop:
            for: { each: n, in: '[1, 2, 3, 4, 5]' }
            while: .seen | length < 4
            do:
              - see:
                  set: { seen: '${ .seen + [$n * $index] }' }
              - enough:
                  switch:
                    - yes: { when: '$n == 3', then: exit }
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'seen' property containing 3 items
    And the workflow output should have a 'seen' property with value:
      """yaml
      [0, 2, 6]
      """

  Scenario: What stands around every task of a kind
    Given a workflow with definition:
      """yaml
      document: { dsl: '1.0.3', namespace: ours, name: extension, version: '1.0.0' }
      use:
        extensions:
          - mock:
              extend: call
              before:
                - pretend:
                    set: { statusCode: 200, of: '${ $task.name }' }
                    then: exit
      do:
        - reach:
            call: http
            with: { method: get, endpoint: 'https://away.example' }
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have properties 'statusCode', 'of'
    And the workflow output should have a 'of' property with value:
      """yaml
      reach
      """
    And pretend should run after reach
